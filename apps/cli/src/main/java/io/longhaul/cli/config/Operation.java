// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.cli.config.ServerFile.Ports;
import java.net.URI;
import java.util.Optional;

/**
 * The settings of a file for the operator of the server.
 *
 * @param ports     the ports of metrics and console
 * @param recording what the server records
 * @param store     the database that keeps tasks; empty for a file in the data folder
 * @param address   by which others reach the server; empty for the served address
 */
public record Operation(Ports ports, Recording recording, Optional<StoreAddress> store, Optional<URI> address) {}
