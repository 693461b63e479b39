// SPDX-License-Identifier: Apache-2.0
/** The command that tortures servers and clients. */
@NullMarked
package io.longhaul.cli.torture;

import org.jspecify.annotations.NullMarked;
