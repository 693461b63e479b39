// SPDX-License-Identifier: Apache-2.0
/** The command that measures what requests cost. */
@NullMarked
package io.longhaul.cli.bench;

import org.jspecify.annotations.NullMarked;
