// SPDX-License-Identifier: Apache-2.0
/**
 * What the engine asks of storage, implemented by the memory store of the fakes and by the SQL stores. The package
 * knows no database and decides no transition: a store commits what was decided, or refuses what is stale.
 */
@NullMarked
package io.longhaul.engine.store;

import org.jspecify.annotations.NullMarked;
