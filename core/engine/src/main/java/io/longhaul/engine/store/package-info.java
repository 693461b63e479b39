// SPDX-License-Identifier: Apache-2.0
/** What the engine asks of storage. Implemented by the memory store of the fakes and by the SQL stores. */
@NullMarked
package io.longhaul.engine.store;

import org.jspecify.annotations.NullMarked;
