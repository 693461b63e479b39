// SPDX-License-Identifier: Apache-2.0
/** How much a gateway asks of the servers behind it. The package does not know what is called. */
@NullMarked
package io.longhaul.gateway.limit;

import org.jspecify.annotations.NullMarked;
