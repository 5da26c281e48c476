"""Signed heads and receipts."""
