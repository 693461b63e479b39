// SPDX-License-Identifier: Apache-2.0
/**
 * The command that tortures servers and clients. Which faults there are, and what counts as lost, is the matter of the
 * module reliability.
 */
@NullMarked
package io.longhaul.cli.torture;

import org.jspecify.annotations.NullMarked;
