// SPDX-License-Identifier: Apache-2.0
/**
 * Web pages that show and operate the tasks of a server: {@code Console} is the site, {@code Feed} tells
 * its pages what changes, {@code MessageLog} what clients and the server say. The package knows no dialect, and no HTTP
 * server by name.
 */
@NullMarked
package io.longhaul.console;

import org.jspecify.annotations.NullMarked;
