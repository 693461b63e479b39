// SPDX-License-Identifier: Apache-2.0
/**
 * What a server offers: its tools, resources and prompts, as they are now. The package knows no session, no request and
 * no engine: it does not say who may use what.
 */
@NullMarked
package io.longhaul.receiver.feature;

import org.jspecify.annotations.NullMarked;
