// SPDX-License-Identifier: Apache-2.0
/** An agent that has several tasks at other agents at once. The package knows these agents by the client alone. */
@NullMarked
package io.longhaul.examples.agent;

import org.jspecify.annotations.NullMarked;
