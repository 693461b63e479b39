// SPDX-License-Identifier: Apache-2.0
/**
 * Tasks that the client itself runs for a server: questions that it answers under an id of its own. The package knows
 * no connection, and not who answers.
 */
@NullMarked
package io.longhaul.requestor.clienttask;

import org.jspecify.annotations.NullMarked;
