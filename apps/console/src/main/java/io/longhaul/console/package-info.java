// SPDX-License-Identifier: Apache-2.0
/**
 * Web pages that show and operate the tasks of a server: {@code Console} is the site, {@code Feed} and {@code News}
 * tell its pages what changes. The package knows no dialect, and no HTTP server by name.
 */
@NullMarked
package io.longhaul.console;

import org.jspecify.annotations.NullMarked;
