"""Recurrent operators: what one step computes, and the steps one after the other."""
