// SPDX-License-Identifier: Apache-2.0
/**
 * Answers to the requests that a server sends, by the answerer of the call that a question belongs to. The package does
 * not know how a call is made.
 */
@NullMarked
package io.longhaul.requestor.question;

import org.jspecify.annotations.NullMarked;
