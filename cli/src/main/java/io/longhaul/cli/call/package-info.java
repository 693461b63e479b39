// SPDX-License-Identifier: Apache-2.0
/** Calling tools of servers, and going on with calls that were left: progress, questions, results, exit codes. */
@NullMarked
package io.longhaul.cli.call;

import org.jspecify.annotations.NullMarked;
