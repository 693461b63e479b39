package io.longhaul.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * Where a task came from.
 *
 * @param origin opaque to the engine: dialect, session, request id, capabilities
 * @param route  a text by which its creator finds the task again: the whole of it, or what it begins with. Several
 *               tasks may share one; null for a task that is not looked for in that way
 */
public record Source(Payload origin, @Nullable String route) {}
