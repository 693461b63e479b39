// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.net.URI;
import java.util.List;

/** The address of a server. */
public sealed interface ServerAddress {

    /** At an HTTP address. */
    record Http(URI uri) implements ServerAddress {}

    /** A program to start, spoken to over its standard input and output: the program and its arguments. */
    record Command(List<String> command) implements ServerAddress {
        public Command {
            command = List.copyOf(command);
        }
    }
}
