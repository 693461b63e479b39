// SPDX-License-Identifier: Apache-2.0
/** Messages between other systems and a server of a file: what calls its tools, and who is told of their ends. */
@NullMarked
package io.longhaul.cli.webhook;

import org.jspecify.annotations.NullMarked;
