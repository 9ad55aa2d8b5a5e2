// Browsers start no workers for pages that are opened from disk: the search of the site runs in a frame instead.
"use strict";
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = (this.inside = frame.contentWindow);
      inside.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      };
      inside.importScripts = (...scripts) =>
        scripts.reduce((before, script) => before.then(() => loaded(inside, script)), Promise.resolve());
      this.ready = loaded(inside, url);
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.inside.frameElement.remove();
    }
  };

  /** A promise of a script that has run in a window. */
  const loaded = (inside, src) =>
    new Promise((resolve, reject) => {
      const script = inside.document.createElement("script");
      Object.assign(script, { src, onload: resolve, onerror: reject });
      inside.document.head.append(script);
    });
}
