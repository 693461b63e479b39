// SPDX-License-Identifier: Apache-2.0
/**
 * The requests of a client: who sends them in which generation, in how many rounds of questions, and what the
 * responses mean to a host. The package does not know what is asked for: neither calls of tools nor lists nor
 * handles.
 */
@NullMarked
package io.longhaul.client.request;

import org.jspecify.annotations.NullMarked;
