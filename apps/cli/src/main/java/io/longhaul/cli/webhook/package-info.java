// SPDX-License-Identifier: Apache-2.0
/** Messages between other systems and a server of a file: triggers of its tools, and notices of the ends of tasks. */
@NullMarked
package io.longhaul.cli.webhook;

import org.jspecify.annotations.NullMarked;
