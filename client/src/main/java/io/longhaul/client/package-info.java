// SPDX-License-Identifier: Apache-2.0
/**
 * The API for people who call MCP servers, whichever generation of long-running calls those speak.
 */
@NullMarked
package io.longhaul.client;

import org.jspecify.annotations.NullMarked;
