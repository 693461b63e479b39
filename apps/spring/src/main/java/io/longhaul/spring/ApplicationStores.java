// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.spring.LonghaulProperties.Storage;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.store.postgres.PostgresTaskStore;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Opens a store at each start of the server, which closes the store when it stops. A store bean of the application
 * stays open: the context closes its beans after the server.
 *
 * @param own the application's store bean, which takes precedence over {@code storage}
 */
record ApplicationStores(Storage storage, ConfigurableListableBeanFactory beans, ObjectProvider<TaskStore> own) {

    private static final String POSTGRES = "io.longhaul.store.postgres.PostgresTaskStore";

    TaskStore open() {
        var bean = own.getIfAvailable();
        return bean == null ? ofProperties() : lent(bean);
    }

    private static TaskStore lent(TaskStore bean) {
        return new ForwardingStore(bean) {
            @Override
            public void close() {
                // The context does.
            }
        };
    }

    private TaskStore ofProperties() {
        var keys = storage.dataKeys() == null ? DataKeys.NONE : DataKeys.read(storage.dataKeys());
        return storage.dataSource() == null
                ? SqliteTaskStore.at(storage.path(), keys)
                : database(storage.dataSource(), keys);
    }

    private TaskStore database(String bean, DataKeys keys) {
        if (!ClassUtils.isPresent(POSTGRES, beans.getBeanClassLoader())) {
            throw new IllegalStateException("longhaul.store.data-source needs io.longhaul:longhaul-store-postgres:"
                    + " add it to the dependencies of the application");
        }
        return PostgresTaskStore.at(pool(bean), keys);
    }

    private DataSource pool(String bean) {
        try {
            return beans.getBean(bean, DataSource.class);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            throw new IllegalStateException(
                    "longhaul.store.data-source must name a bean that is a DataSource, and '" + bean + "' is none", e);
        }
    }
}
