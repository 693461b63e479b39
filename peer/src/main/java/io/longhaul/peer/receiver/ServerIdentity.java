package io.longhaul.peer.receiver;

import org.jspecify.annotations.Nullable;

/**
 * What a server says of itself.
 *
 * @param name         its name
 * @param version      its own version
 * @param instructions for a model, or null
 */
public record ServerIdentity(
        String name, String version, @Nullable String instructions) {}
