// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.net.URI;
import java.util.List;

/** The address of a server. */
public sealed interface ServerAddress {

    /** At an HTTP address. */
    record Http(URI uri) implements ServerAddress {}

    /** A program and its arguments: the client starts the program, and speaks to it over standard input and output. */
    record Command(List<String> command) implements ServerAddress {
        public Command {
            command = List.copyOf(command);
        }
    }
}
