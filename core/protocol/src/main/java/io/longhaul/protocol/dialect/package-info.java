// SPDX-License-Identifier: Apache-2.0
/**
 * Dialects, one package for each published generation of the protocol; the selector that chooses between them, with
 * {@code Drafts}, which has a line for each draft and extension; and {@code Revision}, which says what a revision can
 * say. A dialect translates messages, and knows neither the engine nor who carries the bytes.
 */
@NullMarked
package io.longhaul.protocol.dialect;

import org.jspecify.annotations.NullMarked;
