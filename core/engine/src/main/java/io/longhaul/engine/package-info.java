// SPDX-License-Identifier: Apache-2.0
/**
 * Durable tasks: their states and legal transitions, the interfaces of stores, row stores and backends, leases,
 * retention and limits. The engine knows nothing of JSON, HTTP, SQL or MCP.
 */
@NullMarked
package io.longhaul.engine;

import org.jspecify.annotations.NullMarked;
