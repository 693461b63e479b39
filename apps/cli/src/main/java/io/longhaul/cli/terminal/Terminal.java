// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.io.InputStream;
import java.util.Map;

/**
 * The input and output of a command. Thread-safe as far as its streams are.
 *
 * @param in    the input of the user
 * @param out   for results
 * @param err   for everything else
 * @param facts the properties of the three streams
 * @param env   the environment
 * @param tty   the window, where the streams belong to one
 */
public record Terminal(InputStream in, Screen out, Screen err, Facts facts, Map<String, String> env, Tty tty) {
    /** Streams that belong to no window. */
    public Terminal(InputStream in, Screen out, Screen err, Facts facts, Map<String, String> env) {
        this(in, out, err, facts, env, Tty.NONE);
    }

    /**
     * The capabilities of a terminal.
     *
     * @param asks      whether a person can be asked: both input and standard error are a terminal
     * @param showsOut  whether standard output is a terminal
     * @param showsErr  whether standard error is a terminal
     * @param width     in columns
     */
    public record Facts(boolean asks, boolean showsOut, boolean showsErr, int width) {
        /** Streams without a person. */
        public static final Facts NONE = new Facts(false, false, false, 80);
    }

    /** Whether colours may be used on standard error; {@code NO_COLOR} says no. */
    public boolean colours() {
        return facts.showsErr()
                && env.getOrDefault("NO_COLOR", "").isEmpty()
                && !env.getOrDefault("TERM", "").equals("dumb");
    }

    /** Tells the user a line of this program on standard error. */
    public void say(String line) {
        err.println("longhaul: " + line);
    }

    /** Whether stack traces are wanted: {@code LONGHAUL_DEBUG} is set. */
    public boolean debugs() {
        return !env.getOrDefault("LONGHAUL_DEBUG", "").isEmpty();
    }
}
