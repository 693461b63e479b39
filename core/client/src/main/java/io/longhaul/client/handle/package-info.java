// SPDX-License-Identifier: Apache-2.0
/**
 * What a client keeps in the store of its host: the handle of each call, and the tasks that it runs for its server.
 * The package makes no request, and does not know how a call goes on.
 */
@NullMarked
package io.longhaul.client.handle;

import org.jspecify.annotations.NullMarked;
