// SPDX-License-Identifier: Apache-2.0
/** The command that measures what requests cost. What is measured, and how, is the matter of the module bench. */
@NullMarked
package io.longhaul.cli.bench;

import org.jspecify.annotations.NullMarked;
