// SPDX-License-Identifier: Apache-2.0
/** Where messages come in: sessions, request ids and generations are settled here, once for each message. */
@NullMarked
package io.longhaul.receiver.admit;

import org.jspecify.annotations.NullMarked;
