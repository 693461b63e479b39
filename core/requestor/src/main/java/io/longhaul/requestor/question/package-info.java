// SPDX-License-Identifier: Apache-2.0
/** Answers to the requests that a server sends. */
@NullMarked
package io.longhaul.requestor.question;

import org.jspecify.annotations.NullMarked;
