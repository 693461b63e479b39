// SPDX-License-Identifier: Apache-2.0
/** Tasks that the client itself runs for a server. */
@NullMarked
package io.longhaul.requestor.host;

import org.jspecify.annotations.NullMarked;
