package io.longhaul.engine.task;

/**
 * A node's right to run its tasks. Every write of a running task carries it, so that an older holder is fenced out.
 *
 * @param node  the node's name
 * @param epoch raised each time the node takes its right anew
 */
public record Lease(String node, long epoch) {}
