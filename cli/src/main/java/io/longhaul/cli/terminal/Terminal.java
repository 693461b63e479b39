// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.io.InputStream;
import java.util.Map;

/**
 * Where a command reads and writes. Thread-safe as far as its streams are.
 *
 * @param in    what the user writes
 * @param out   for results
 * @param err   for everything else
 * @param facts what is known of the three
 * @param env   the environment
 * @param tty   the window, where the streams belong to one
 */
public record Terminal(InputStream in, Screen out, Screen err, Facts facts, Map<String, String> env, Tty tty) {
    /** Streams that belong to no window. */
    public Terminal(InputStream in, Screen out, Screen err, Facts facts, Map<String, String> env) {
        this(in, out, err, facts, env, Tty.NONE);
    }

    /**
     * What a terminal can do.
     *
     * @param asks      whether a person can be asked: both input and standard error are a terminal
     * @param showsOut  whether standard output is a terminal
     * @param showsErr  whether standard error is a terminal
     * @param width     in columns
     */
    public record Facts(boolean asks, boolean showsOut, boolean showsErr, int width) {
        /** No person is there. */
        public static final Facts NONE = new Facts(false, false, false, 80);
    }

    /** Whether colours may be used on standard error; {@code NO_COLOR} says no. */
    public boolean colours() {
        return facts.showsErr()
                && env.getOrDefault("NO_COLOR", "").isEmpty()
                && !env.getOrDefault("TERM", "").equals("dumb");
    }

    /** Whether stack traces are wanted: {@code LONGHAUL_DEBUG} is set. */
    public boolean debugs() {
        return !env.getOrDefault("LONGHAUL_DEBUG", "").isEmpty();
    }
}
