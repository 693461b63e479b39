// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import java.net.URI;
import java.util.Optional;

/**
 * The settings of a file for the operator of the server.
 *
 * @param metrics  the address of metrics and health, for programs; empty where they are not served
 * @param console  the address of pages for a browser; empty where they are not served
 * @param recording what the server records
 * @param store     the database that keeps tasks; empty for a file in the data folder
 * @param address   by which others reach the server; empty for the served address
 */
public record OperatorSettings(
        Optional<PortAddress> metrics,
        Optional<PortAddress> console,
        Recording recording,
        Optional<StoreAddress> store,
        Optional<URI> address) {}
