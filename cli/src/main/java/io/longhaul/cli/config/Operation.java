// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.cli.config.ServerFile.Ports;
import java.net.URI;
import java.util.Optional;

/**
 * What a file says to those who run the server.
 *
 * @param ports     where they look at it
 * @param recording what it writes down for them
 * @param store     the database that keeps tasks; empty for a file in the data folder
 * @param address   by which others reach the server; empty for that which is served
 */
public record Operation(Ports ports, Recording recording, Optional<StoreAddress> store, Optional<URI> address) {}
