// SPDX-License-Identifier: Apache-2.0
/**
 * How content, questions, results and errors of the API are written in the protocol and read from it. The package knows
 * no server, no task and no definition of a tool.
 */
@NullMarked
package io.longhaul.server.internal.codec;

import org.jspecify.annotations.NullMarked;
