// SPDX-License-Identifier: Apache-2.0
/**
 * What a person says to questions, and gives as arguments: each value is read as the type that a schema requires. The
 * package does not know which server asks, nor how an answer is sent.
 */
@NullMarked
package io.longhaul.cli.answer;

import org.jspecify.annotations.NullMarked;
