import java.sql.*;

/** A database that java.sql finds by its address. */
public class Main {
    public static int twice(int n) { return 2 * n; }
    public static void main(String[] args) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:hsqldb:mem:shop", "sa", "")) {
            Statement statement = connection.createStatement();
            statement.execute("create table t (id int primary key, name varchar(20))");
            statement.execute("insert into t values (1, 'a'), (2, 'b')");
            ResultSet rows = statement.executeQuery("select name, sum(id) from t group by name order by name");
            while (rows.next()) System.out.println(rows.getString(1) + rows.getInt(2));
        }
    }
}
