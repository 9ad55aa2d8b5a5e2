export function Page() { return <a/> }
