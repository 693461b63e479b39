// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of every store of tasks, as tests: the author of a store extends
 * {@link io.longhaul.store.contract.TaskStoreContract}, and {@link io.longhaul.store.contract.SharedStoreContract}
 * where several processes share the store. The tests know no database: the store is opened by their subclass.
 */
@NullMarked
package io.longhaul.store.contract;

import org.jspecify.annotations.NullMarked;
