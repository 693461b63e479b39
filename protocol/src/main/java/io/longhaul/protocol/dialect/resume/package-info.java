// SPDX-License-Identifier: Apache-2.0
/** Results part by part by resume tokens, as SEP-1003 has them. */
@NullMarked
package io.longhaul.protocol.dialect.resume;

import org.jspecify.annotations.NullMarked;
