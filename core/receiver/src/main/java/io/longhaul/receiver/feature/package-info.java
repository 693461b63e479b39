// SPDX-License-Identifier: Apache-2.0
/** What a server offers: its tools, resources and prompts, as they are now. */
@NullMarked
package io.longhaul.receiver.feature;

import org.jspecify.annotations.NullMarked;
