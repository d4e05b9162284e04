"""Models, graphs, cases and judges that several tests share."""
