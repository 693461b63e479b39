// SPDX-License-Identifier: Apache-2.0
/** The tasks of a server in one window, live. */
@NullMarked
package io.longhaul.cli.top;

import org.jspecify.annotations.NullMarked;
