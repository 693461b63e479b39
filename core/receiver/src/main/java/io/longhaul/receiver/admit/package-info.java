// SPDX-License-Identifier: Apache-2.0
/**
 * Where messages come in: sessions, request ids and generations are settled here, once for each message, and
 * {@code Receiver} hands each to whom it is for. The package knows what a single draft needs only as an
 * {@code Extension}.
 */
@NullMarked
package io.longhaul.receiver.admit;

import org.jspecify.annotations.NullMarked;
