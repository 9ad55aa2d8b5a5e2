"""Kamps, Lalmas & Pehcevski (SIGIR 2007): Evaluating Relevant in Context."""
