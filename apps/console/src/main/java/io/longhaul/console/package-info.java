// SPDX-License-Identifier: Apache-2.0
/** Web pages that show and operate the tasks of a server. */
@NullMarked
package io.longhaul.console;

import org.jspecify.annotations.NullMarked;
