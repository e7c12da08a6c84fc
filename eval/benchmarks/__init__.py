"""Measurements that take too long for a test: retrieval, speed."""
