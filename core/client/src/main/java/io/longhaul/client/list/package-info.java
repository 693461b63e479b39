// SPDX-License-Identifier: Apache-2.0
/**
 * What a server lists, page by page, and kept while it is fresh. The package does not know how a tool is called, and
 * is told by others when a list has changed.
 */
@NullMarked
package io.longhaul.client.list;

import org.jspecify.annotations.NullMarked;
