/* Makes the SQL statements of a program visible to strace: loaded into the program, each statement is also an
   invalid write. */
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

static int note(unsigned kind, void *context, void *statement, void *sql)
{
    if (sql != NULL) {
        (void)!write(-1, sql, strlen(sql));
    }
    return 0;
}

static int trace(sqlite3 *database, char **error, const void *api)
{
    return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, note, NULL);
}

__attribute__((constructor)) static void start(void)
{
    sqlite3_auto_extension((void (*)(void))trace);
}
