// SPDX-License-Identifier: Apache-2.0
/** How the command logs. */
@NullMarked
package io.longhaul.cli.logging;

import org.jspecify.annotations.NullMarked;
