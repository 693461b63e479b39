// SPDX-License-Identifier: Apache-2.0
/**
 * The connection to one upstream: what it lists, the resources that it watches, and the handles of its calls. The
 * package does not know under which names features are served, or who calls them.
 */
@NullMarked
package io.longhaul.gateway.link;

import org.jspecify.annotations.NullMarked;
