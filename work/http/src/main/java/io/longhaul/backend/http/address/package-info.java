// SPDX-License-Identifier: Apache-2.0
/**
 * Addresses of this server: those that APIs call back, and those at which callers download results. The package knows
 * neither the runs of tasks nor the HTTP server that passes requests to it.
 */
@NullMarked
package io.longhaul.backend.http.address;

import org.jspecify.annotations.NullMarked;
