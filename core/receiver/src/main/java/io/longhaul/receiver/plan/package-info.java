// SPDX-License-Identifier: Apache-2.0
/**
 * What is decided of a call and its client before anything is done, from the traits of the generation and the wish of
 * the call. The package has no clock, store or stream, and does not know how a decision is carried out.
 */
@NullMarked
package io.longhaul.receiver.plan;

import org.jspecify.annotations.NullMarked;
