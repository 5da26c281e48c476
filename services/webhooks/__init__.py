"""Webhooks: the book of them, what waits to be delivered, when, and signatures."""
