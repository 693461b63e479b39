package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/** A folder that the client works in. */
public record Root(String uri, @Nullable String name) {}
